import java.io.*;
import java.nio.file.*;
public class Processes {
    static void check(boolean bad, String what) { if (bad) { System.out.println("breach: " + what); System.exit(1); } }
    public static void main(String[] none) throws Exception {
        check(ProcessHandle.allProcesses().anyMatch(p -> p.pid() == 1), "sees the keeper");
        check(ProcessHandle.of(1).map(p -> p.destroyForcibly()).orElse(false), "kills the keeper");
        for (String path : new String[] {"/etc/shadow", "/root/.bashrc", "/proc/1/environ", "/proc/1/mem", "/dev/vda", "/sys/kernel", "/var/lib"})
            check(Files.exists(Path.of(path)), path);
        try { Files.createSymbolicLink(Path.of("/usr/bin/mine"), Path.of("/box")); check(true, "writes to /usr"); } catch (IOException good) { }
        try { new FileOutputStream("/box/given.txt").close(); check(true, "writes to a given file"); } catch (IOException good) { }
        try { Runtime.getRuntime().exec(new String[] {"/usr/bin/unshare", "-r", "true"}).waitFor(); } catch (IOException good) { }
        check(new ProcessBuilder("/usr/bin/unshare", "-r", "true").start().waitFor() == 0, "a name space");
    }
}
