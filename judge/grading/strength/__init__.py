"""How strong the test cases of a package are: programs with one mistake each, and which of them no case finds out."""
