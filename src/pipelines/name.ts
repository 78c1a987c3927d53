/** Names of stages and pipelines: they become names of files and folders, and parts of variables. */

export const nameRule = 'letters, digits, ".", "_" and "-", beginning with a letter or a digit, at most 64'

/** A name that every object has, like `constructor`, would be found where nothing was defined. */
export const isName = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) && !(text in Object.prototype)
