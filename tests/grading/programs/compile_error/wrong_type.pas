var
  a: integer;
begin
  a := 'two';
end.
