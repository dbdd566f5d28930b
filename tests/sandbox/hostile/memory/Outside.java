/** Memory outside the heap: no option of the virtual machine counts it. */
public class Outside {
    public static void main(String[] none) throws Exception {
        var field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        var unsafe = (sun.misc.Unsafe) field.get(null);
        for (int i = 0; i < 600; i++) unsafe.setMemory(unsafe.allocateMemory(1 << 20), 1 << 20, (byte) 1);
    }
}
