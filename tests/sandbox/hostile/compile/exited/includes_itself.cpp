#include "source.cpp"
int x = y;
