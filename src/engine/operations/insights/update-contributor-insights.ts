import type {
  UpdateContributorInsightsInput,
  UpdateContributorInsightsOutput,
} from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { validationError } from '../../errors.js'
import { type ContributorInsights, findInsights, insightsSummaryOf } from '../../tables/contributor-insights.js'
import type { Table } from '../../tables/table.js'

/**
 * Changes the insights of a table or an index. A request for the current state has no effect; a new mode starts again
 * and keeps the rules that both modes share.
 */
export function updateContributorInsights(
  engine: Engine,
  request: UpdateContributorInsightsInput,
): UpdateContributorInsightsOutput {
  const { IndexName: indexName, ContributorInsightsAction, ContributorInsightsMode } = request
  const { table, insights } = findInsights(engine, request.TableName, indexName)
  const isEnabled = ContributorInsightsAction === 'ENABLE'
  if (isEnabled) checkIndexNotCreating(table, indexName)
  const wanted = ContributorInsightsMode ?? 'ACCESSED_AND_THROTTLED_KEYS'
  const isAsWanted = isEnabled ? insights?.isEnabled && insights.mode === wanted : !insights?.isEnabled
  if (isAsWanted) return insightsSummaryOf(engine, table.name, indexName, insights)
  const nowMs = engine.now()
  const changed: ContributorInsights = {
    indexName,
    isEnabled,
    mode: isEnabled ? wanted : insights!.mode,
    rulesMs: insights?.isEnabled ? insights.rulesMs : nowMs,
    changedMs: nowMs,
    untilMs: nowMs + engine.settings.transitionMs,
  }
  table.insights = [...table.insights.filter(other => other !== insights), changed]
  // The response shows the transition even when it takes no time.
  const ContributorInsightsStatus = isEnabled ? 'ENABLING' : 'DISABLING'
  return { ...insightsSummaryOf(engine, table.name, indexName, changed), ContributorInsightsStatus }
}

function checkIndexNotCreating({ underWay }: Table, indexName: string | undefined): void {
  if (indexName === undefined || !underWay.some(({ creates }) => creates === indexName)) return
  throw validationError(
    'Table or Index is not in a valid state to update Key Access Insights: ' +
      'IndexStatus must be ACTIVE to enable ContributorInsights.',
  )
}
