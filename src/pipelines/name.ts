/** Validates names of stages and pipelines: they become file and folder names, and parts of variables. */

export const nameRule = 'letters, digits, ".", "_" and "-", beginning with a letter or a digit, at most 64'

/** Inherited names of objects, such as `constructor`, are not allowed: lookups would find them. */
export const isName = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) && !(text in Object.prototype)
