unit adding;

interface

function plus(a, b: longint): longint;

implementation

function plus(a, b: longint): longint;
begin
  plus := a + b;
end;

end.
