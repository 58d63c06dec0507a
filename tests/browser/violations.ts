import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { isNight } from '../fixtures/effort.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** What is in order, a megabyte of it for each page, is not described. */
const RUN = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"

/**
 * Where a change lands, each width and each colour once; at night each with each. What is too wide depends on
 * the width alone, and contrast, but for what only one width shows, on the colours alone.
 */
export const LOOKS = (
  [
    { width: 360, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'light' },
    { width: 360, colorScheme: 'dark' },
  ] as const
).slice(0, isNight ? 4 : 2)

/** What hinders some readers of the page as it is: rule, first element, and what is wrong with it. */
export async function violationsOf(page: Page): Promise<readonly (readonly unknown[])[]> {
  await page.evaluate(AXE)
  const violations: AxeResults['violations'] = await page.evaluate(RUN)
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary])
}
