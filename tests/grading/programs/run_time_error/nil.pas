type
  PNode = ^TNode;
  TNode = record
    next: PNode;
  end;
var
  node: PNode = nil;
begin
  node^.next := node;
end.
