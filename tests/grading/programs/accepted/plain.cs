using System;
using System.Linq;

class Plus {
    static void Main() {
        var numbers = Console.ReadLine().Split().Select(int.Parse);
#if ONLINE_JUDGE
        Console.WriteLine(numbers.Sum());
#endif
    }
}
