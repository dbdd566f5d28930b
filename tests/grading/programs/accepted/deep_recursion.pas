function depth(n: longint): longint;
var
  room: array [0..7] of longint;
begin
  room[n mod 8] := 1;
  if n = 0 then depth := 0 else depth := depth(n - 1) + room[n mod 8];
end;

var
  a, b: longint;
begin
  readln(a, b);
  writeln(a + b + depth(500000) - 500000);
end.
