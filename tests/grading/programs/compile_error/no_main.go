package main

func plus(a, b int) int { return a + b }
