"""The account policy of section 8, with the messages of section 7."""

from dataclasses import dataclass
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits


@dataclass(frozen=True)
class Policy:
    """The seven settings, with their listed values."""

    minimum_length: int = 6
    require_non_letter_or_digit: bool = True
    require_digit: bool = True
    require_lowercase: bool = True
    require_uppercase: bool = True
    alphanumeric_user_names_only: bool = False
    unique_email: bool = True


DIGIT_MESSAGE = "Passwords must have at least one digit ('0'-'9')."


def is_symbol(char: str) -> bool:
    """Neither letter nor digit."""
    return char not in ascii_letters + digits


def password_problems(password: str, policy: Policy) -> list[str]:
    """One message for each violated requirement. Of length and lower case the specification lists none."""
    problems = []
    if len(password) < policy.minimum_length:
        problems.append(f"Use {policy.minimum_length} characters or more.")
    if policy.require_non_letter_or_digit and not any(map(is_symbol, password)):
        problems.append("Passwords must have at least one non letter or digit character.")
    if policy.require_digit and not any(char in digits for char in password):
        problems.append(DIGIT_MESSAGE)
    if policy.require_lowercase and not any(char in ascii_lowercase for char in password):
        problems.append("Use a small letter.")
    if policy.require_uppercase and not any(char in ascii_uppercase for char in password):
        problems.append("Passwords must have at least one uppercase ('A'-'Z').")
    return problems


def user_name_problems(user_name: str, policy: Policy) -> list[str]:
    if user_name == "":
        return ["Choose a user name."]
    if policy.alphanumeric_user_names_only and any(map(is_symbol, user_name)):
        return ["A user name is letters and digits."]
    return []
