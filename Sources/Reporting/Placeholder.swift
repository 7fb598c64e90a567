// Placeholder, replaced by the first source of this target.
