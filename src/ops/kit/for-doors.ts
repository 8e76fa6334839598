// What doors read of an operation beside its fields: what it answers, how people see that, and what is special about
// it at one door. No door knows an operation by its name.

import type { Holds } from './answer.ts'
import type { Page } from './drawing/page.ts'
import type { ToolWords } from './tool.ts'

export type ForDoors<R extends object> = {
  /** What it answers, name by name. */
  answer: Holds
  /** Its answer for people. Programs read the answer itself, so nothing here is an interface. */
  lines: (answer: NoInfer<R>, page: Page) => string | Promise<string>
  /** As agents' programs are offered it. */
  tool?: ToolWords
}
