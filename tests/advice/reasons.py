"""Why a message has no advice that could be followed."""

OPTION = "only the caller knows which of the values allowed is meant"
STATES = "only who knows the scores can settle the doubt: it says what was found"
DONE = "what was asked for is done, and it says what that means"
NOTHING = "no way of writing it gives the answer: it says what would be needed"
