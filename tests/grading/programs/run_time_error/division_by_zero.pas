var
  n: longint;
begin
  readln(n);
  writeln(1 div (n - n));
end.
