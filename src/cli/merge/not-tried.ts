/** Why merges could not be tried: the rest of the sentence "Not tried: …". */
export class NotTried extends Error {}
