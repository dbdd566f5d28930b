let nothing;
console.log(nothing.length);
