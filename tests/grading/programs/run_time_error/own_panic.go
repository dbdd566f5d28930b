package main

func main() {
	secret := "5"
	panic("secret " + secret)
}
