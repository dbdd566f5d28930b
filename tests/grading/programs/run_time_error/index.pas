{$R+}
var
  numbers: array [0..1] of longint;
  i: longint;
begin
  readln(i);
  writeln(numbers[i + 2]);
end.
