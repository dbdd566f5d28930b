program plus;
var
  a, b: integer;
begin
  readln(a, b);
  {$ifdef ONLINE_JUDGE}
  writeln(a + b);
  {$endif}
end.
