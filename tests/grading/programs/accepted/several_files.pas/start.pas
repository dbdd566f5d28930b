uses adding;

var
  a, b: longint;
begin
  readln(a, b);
  writeln(plus(a, b));
end.
