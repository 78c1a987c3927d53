/** Why new tests of a change without product code are no proof: there is no change that they could fail without. */
export const onlyTests = 'only tests were changed'
