char a[8ll << 30] = {1};
int main() { return a[5]; }
