using System;

class Start {
    static void Main() { Console.WriteLine(Adder.All(Console.ReadLine())); }
}
