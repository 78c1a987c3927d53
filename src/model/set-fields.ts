/** Sets several fields of an object at once, with the type checks that `Object.assign` switches off. */

/** A field that the target does not have, or a value of another type, does not compile. */
type Known<Target, Fields> = { [Key in keyof Fields]: Key extends keyof Target ? Target[Key] : never }

export function setFields<Target extends object, Fields extends Partial<Target>>(
  target: Target,
  fields: Fields & Known<Target, Fields>,
): void {
  Object.assign(target, fields)
}
