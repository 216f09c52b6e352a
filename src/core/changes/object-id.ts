/** The full id of an object of git, of either hash, in lower case. */
export const objectId = /^[0-9a-f]{40}([0-9a-f]{24})?$/
