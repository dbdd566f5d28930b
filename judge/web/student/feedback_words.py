"""The sentences of feedback: for every kind of mistake what it is, and a thought that helps to mend it."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from judge.grading.feedback.compile_errors import Fault
from judge.grading.feedback.crash import Crash
from judge.grading.feedback.mistake import Mistake
from problems.package.model import SizeOf

MISTAKES: Mapping[Mistake, str | Promise] = {
    Mistake.NOTHING_PRINTED: _("Your program prints nothing. Does it come to the line that prints?"),
    Mistake.BLANK: _("Your program prints an empty line only. Look at what it puts together before it prints."),
    Mistake.LETTER_CASE: _("Only upper and lower case differ."),
    Mistake.FULL_STOP: _("All words and numbers are right; a full stop or another mark is missing, or is too many."),
    Mistake.SPACING: _("All characters are right, but a space is missing between two words, or stands inside one."),
    Mistake.MORE_THAN_ASKED: _("The right answer is there, but other text as well. Print only what is asked for."),
    Mistake.CUT_SHORT: _("What is printed is right, but it ends too early. Is the last part of the input handled?"),
    Mistake.ONLY_THE_NUMBERS: _("The numbers are right, but the words around them are missing."),
    Mistake.WORDING: _("All numbers are right, but the text around them differs. Copy it from the statement."),
    Mistake.OTHER_ORDER: _("The right parts are there, in another order."),
    Mistake.REVERSED: _("The right answer, backwards."),
    Mistake.OFF_BY_ONE: _("Every wrong number is off by one. Look at where you start to count."),
    Mistake.TIMES: _("Every wrong number is the right one times the same factor."),
    Mistake.ONE_NUMBER: _("The text is right, but one number is wrong."),
    Mistake.SOME_NUMBERS: _("The text is right, but some numbers are wrong."),
    Mistake.OTHER: "",
}
CRASHES: Mapping[Crash, str | Promise] = {
    Crash.INDEX: _("An index is outside of its array or list. Which value has it there, and how long is the array?"),
    Crash.STACK: _("A recursion goes too deep: it never ends, or the input makes it deeper than there is room for."),
    Crash.NULL: _("Something is used that is not there (null). Where should it have been set?"),
    Crash.DIVISION: _("A number is divided by zero."),
    Crash.FREED: _("Memory is used after it was given back, or given back twice."),
    Crash.NO_RETURN: _("A function ends without returning its value."),
    Crash.UNSET: _("A variable is used before it has a value."),
    Crash.OVERFLOW: _("A number grows beyond what its type can hold."),
    Crash.KEY: _("A key is looked up that is not in the dictionary or map."),
    Crash.NOT_A_NUMBER: _("A text is to become a number, and is none. Is the input read the way it is written?"),
    Crash.UNPACK: _("A line has more or fewer parts than the program takes apart. Is the input read as it is written?"),
    Crash.END_OF_INPUT: _("The program reads on although the input is at its end."),
    Crash.TYPE: _("Two things do not go together, such as a number and a text, or something that is None."),
    Crash.NAME: _("A name is used that means nothing there. Is it spelled the same everywhere?"),
    Crash.MEMBER: _("Something is asked for a field or method that it does not have. It may be None."),
    Crash.EMPTY: _("Something is taken out of a queue, stack or list that is empty."),
    Crash.ASSERTION: _("An assertion of the program does not hold."),
    Crash.EXCEPTION: _("An exception is thrown and nobody catches it."),
    Crash.EXIT_CODE: _("The program ends with an exit code that says it failed. A program that did well ends with 0."),
    Crash.MEMORY_ACCESS: _(
        "The program touches memory that is not its own: most often an index outside an array, a null pointer, or a "
        "recursion that goes too deep."
    ),
    Crash.ABORT: _("The program ends itself: an exception nobody catches, a failed assertion, or memory freed twice."),
}
FAULTS: Mapping[Fault, str | Promise] = {
    Fault.SEMICOLON: _("A semicolon is missing, most often at the end of this line or of the one above it."),
    Fault.UNDECLARED: _(
        "“%(name)s” means nothing here. Is it spelled as where it is declared, and declared before it is used, in a "
        "block that holds this line too?"
    ),
    Fault.HEADER: _("“%(name)s” is part of the library: the program must name %(more)s at its top."),
    Fault.NO_SUCH_HEADER: _("There is no file “%(name)s” here to include. Is its name right?"),
    Fault.BRACE: _("A brace is opened and never closed, or closed once too often. Count them from the top."),
    Fault.BRACKET: _("A bracket is opened and not closed, or closed and not opened."),
    Fault.QUOTES: _("A text in quotes is not closed on its line."),
    Fault.STRANGE_CHARACTER: _(
        "A character stands here that no program may have, often a curly quote or a special blank that came along "
        "when the text was copied. Type it anew."
    ),
    Fault.TYPES: _("A value is put where one of another type is wanted. Compare the two types that are named."),
    Fault.LOSSY: _("A number is put into a type that may be too small for it (%(name)s). Change the type, or cast it."),
    Fault.OPERATOR: _("This operator does not know what to do with these two types."),
    Fault.ARGUMENTS: _("A function is called with more, fewer or other values than it takes."),
    Fault.NOT_DEFINED: _("“%(name)s” is called, but written nowhere: only its head is known."),
    Fault.NO_MAIN: _("The program has no main where it could start."),
    Fault.NO_RETURN: _("The function must return a value on every way through it; one way comes to its end without."),
    Fault.UNREPORTED: _("This may throw %(name)s: catch it, or write “throws %(name)s” in the head of the method."),
    Fault.UNSET: _("“%(name)s” may be used before it has a value. Give it one where it is declared."),
    Fault.UNREACHABLE: _("This line can never be reached: the one before it always leaves."),
    Fault.TWICE: _("“%(name)s” is declared twice. Give one of them another name, or only assign to it."),
    Fault.ELSE: _("This “else” belongs to no “if”. Is there a semicolon after the condition, or are braces missing?"),
    Fault.NOT_A_STATEMENT: _("This line is no instruction. A part of it is missing, or a brace before it."),
    Fault.PRIVATE: _("“%(name)s” is private to its class and cannot be used here."),
    Fault.STATIC: _("“%(name)s” belongs to an object; main is static and has none. Make it static too."),
    Fault.CONSTANT: _("This cannot be changed: it is constant, or no variable at all."),
    Fault.NOT_AN_ARRAY: _("Square brackets stand behind something that is no array."),
    Fault.MEMBER: _("“%(name)s” is no field or method of that type. Is it spelled right?"),
    Fault.NAMESPACE: _(
        "“%(name)s” belongs to the library: write std:: before it, or “using namespace std;” at the top."
    ),
    Fault.INDENT: _("The indentation does not fit: what belongs together must begin in the same column."),
    Fault.TABS: _("Tabs and spaces are mixed at the beginning of lines. Use only one of them."),
    Fault.COLON: _("A colon is missing at the end of this line."),
    Fault.PRINT: _("In Python 3, print needs brackets: print(…)."),
    Fault.EQUALS: _("A single = stands where two values are compared. Write ==."),
    Fault.ASSIGN: _("Something stands left of = that cannot get a value."),
    Fault.OUTSIDE: _(
        "“%(name)s” stands where it cannot: outside of a function, or of a loop. Is the indentation right?"
    ),
    Fault.ENCODING: _("The file is not saved as UTF-8."),
    Fault.SYNTAX: _("The compiler does not understand this line, or the end of the one before it."),
}

SIZES: Mapping[SizeOf, str | Promise] = {
    SizeOf.LINES: _("Here n is the number of lines of the input."),
    SizeOf.BYTES: _("Here n is the number of characters of the input."),
    SizeOf.NUMBERS: _("Here n is how many numbers stand in the input."),
    SizeOf.FIRST_NUMBER: _("Here n is the first number of the input."),
}
