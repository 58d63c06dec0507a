import { digest } from '../../../spec/model/digest.js'
import type { Report } from '../../../spec/model/report.js'
import { jsonText } from '../json.js'
import { failuresOf } from '../shared/failures.js'
import { stopSentences, verdictSentence } from '../shared/verdict-sentence.js'
import { type Alert, alertsOf } from './alerts.js'
import { plainText } from './plain-text.js'
import { RULE_OF_RUN, ruleDescriptor } from './rule-descriptor.js'

/** Later ones are no date of RFC 3339, and `Date` throws for most of them. */
const LAST_TIME = Date.UTC(10_000, 0) - 1

/**
 * SARIF 2.1.0 as GitHub code scanning takes it: an alert for each rule that does not hold, and for what is wrong with the run.
 * The failures of a rule are one alert, whose fingerprint depends on the rule alone.
 */
export function renderSarif(report: Report): string {
  const { suite, startedAt, durationMs, verdict, seed } = report
  const rules = [RULE_OF_RUN, ...report.rules.map(ruleDescriptor)]
  const invocation = {
    executionSuccessful: verdict !== 'inconclusive',
    startTimeUtc: startedAt,
    endTimeUtc: new Date(Math.min(Date.parse(startedAt) + durationMs, LAST_TIME)).toISOString(),
    toolExecutionNotifications: stopSentences(report).map((sentence) => ({
      level: 'error',
      message: { text: plainText(sentence) },
    })),
  }
  const summary = plainText(verdictSentence(report, failuresOf(report)))
  const run = {
    tool: { driver: { name: suite.name, semanticVersion: suite.version, rules } },
    invocations: [invocation],
    results: alertsOf(report).map((alert) =>
      resultOf(
        alert,
        rules.findIndex(({ id }) => id === alert.ruleId),
      ),
    ),
    properties: { verdict, summary, seed },
  }
  return jsonText({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] })
}

/** No line of the repository is to blame: every alert is at the file that declares the service. */
const LOCATION = {
  physicalLocation: {
    artifactLocation: { uri: 'token-assay.yaml' },
    region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 },
  },
}

function resultOf({ ruleId, level, message, identity, justification }: Alert, ruleIndex: number) {
  return {
    ...{ ruleId, ruleIndex, level },
    message: { text: plainText(...message) },
    locations: [LOCATION],
    partialFingerprints: { primaryLocationLineHash: `${digest([ruleId, ...identity])}:1` },
    ...(justification === undefined
      ? {}
      : {
          suppressions: [{ kind: 'external', status: 'accepted', justification: plainText(justification) }],
        }),
  }
}
