console.log(Number("x"));
