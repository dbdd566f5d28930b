uses sysutils;
begin
  writeln(StrToInt('two'));
end.
