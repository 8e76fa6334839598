export const PRIORITIES = ['high', 'normal', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]

export function priorityRank(priority: Priority): number {
  return PRIORITIES.indexOf(priority)
}
