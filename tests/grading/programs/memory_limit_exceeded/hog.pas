var
  room: pchar;
begin
  while true do begin
    getmem(room, 1 shl 20);
    fillchar(room^, 1 shl 20, 1);
  end;
end.
