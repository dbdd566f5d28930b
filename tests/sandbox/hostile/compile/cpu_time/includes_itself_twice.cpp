#include "source.cpp"
#include "source.cpp"
int x = y;
