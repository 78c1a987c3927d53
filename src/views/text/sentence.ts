/** Ends a text with punctuation, even one that was cut. */
export const sentence = (text: string): string => (/[.?!…:]$/.test(text) ? text : `${text}.`)
