uses
  cthreads, classes;

type
  TAdder = class(TThread)
    procedure Execute; override;
  end;

var
  sum: longint = 0;

procedure TAdder.Execute;
begin
  InterlockedIncrement(sum);
end;

var
  a, b, i: longint;
  all: array [1..20] of TAdder;
begin
  readln(a, b);
  for i := 1 to 20 do all[i] := TAdder.Create(false);
  for i := 1 to 20 do begin all[i].WaitFor; all[i].Free; end;
  writeln(a + b + sum - 20);
end.
