import java.net.*;
public class Network {
    public static void main(String[] a) throws Exception {
        try { new Socket("127.0.0.1", 6379); System.out.println("breach"); System.exit(1); } catch (java.io.IOException e) { }
        try { new ProcessBuilder("/bin/su", "-c", "id").start().waitFor(); } catch (java.io.IOException e) { }
        if (new java.io.File("/root").exists() || System.getenv().size() > 3) { System.out.println("breach"); System.exit(1); }
    }
}
