package main

import "fmt"

func main() {
	numbers := make([]int, 2)
	fmt.Scan(&numbers[0], &numbers[1])
	fmt.Println(numbers[numbers[0]-numbers[0]+2])
}
