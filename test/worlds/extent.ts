// How much of what is many of one kind a run proves. Decision 23 says what that is.

/** By the rule, in full, or where only the full product proves it. */
export type Extent = 'rule' | 'full' | 'rest'

/** The extent that the test command asks for; a file that is run alone is run by the rule. */
export function extentAsked(): Extent {
  const asked = process.env.MAILROOM_TEST_EXTENT
  return asked === 'full' || asked === 'rest' ? asked : 'rule'
}
