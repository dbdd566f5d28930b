using System;
using System.Linq;

class Deep {
    static int Depth(int n) { return n == 0 ? 0 : Depth(n - 1) + 1; }
    static void Main() {
        Console.WriteLine(Console.ReadLine().Split().Sum(int.Parse) + Depth(200000) - 200000);
    }
}
