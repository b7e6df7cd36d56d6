const SUBJECT_CHARACTERS_MAX = 72
const SUBJECT = /^[a-z][a-z0-9 ,/-]*: [a-z`'"$\d].*[^.]$/

/** Returns the fault of a commit subject; undefined if it is valid. */
export function subjectFault(subject) {
  if (subject.length > SUBJECT_CHARACTERS_MAX)
    return `has ${subject.length} characters, more than ${SUBJECT_CHARACTERS_MAX}`
  return SUBJECT.test(subject) ? undefined : 'is not of the form `area: imperative summary`'
}
