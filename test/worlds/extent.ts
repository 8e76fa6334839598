// How many of a set of similar cases a run tests. Decision 23 defines the rule.

/** The cases that the rule requires, all cases, or only those that the rule leaves out. */
export type Extent = 'rule' | 'full' | 'rest'

/** The extent the test command asked for. A file that is run alone follows the rule. */
export function extentAsked(): Extent {
  const asked = process.env.MAILROOM_TEST_EXTENT
  return asked === 'full' || asked === 'rest' ? asked : 'rule'
}
