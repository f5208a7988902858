import { isRecord, listField, stringField } from '../json-lines.ts';
import type { BalanceWays } from '../quota-answer.ts';
import { unknownQuota } from '../quota-answer.ts';

/** DeepSeek's own host; a worker that is pointed elsewhere (a proxy) is asked about there, where its key goes anyway. */
const HOST = 'https://api.deepseek.com';

/** `GET /user/balance` (api-docs.deepseek.com, "Get User Balance"): the amounts are texts. */
export const deepseekBalance: BalanceWays = {
  request: (env, key) => ({
    url: `${originOf(env['ANTHROPIC_BASE_URL']) ?? HOST}/user/balance`,
    headers: { Authorization: `Bearer ${key}`, Accept: 'application/json' },
  }),
  read: (body) => {
    if (!isRecord(body) || typeof body['is_available'] !== 'boolean')
      return unknownQuota('its balance could not be read');
    const amounts = listField(body, 'balance_infos').flatMap((info) => {
      const [amount, currency] = [stringField(info, 'total_balance'), stringField(info, 'currency')];
      return amount === undefined || currency === undefined ? [] : [`${amount} ${currency}`];
    });
    const words = amounts.length === 0 ? 'its balance is not told' : `${amounts.join(' and ')} left`;
    return { type: 'seen', windows: [], credits: { isEmpty: !body['is_available'], words } };
  },
};

function originOf(url: string | undefined): string | undefined {
  return /^https?:\/\/[^/]+/.exec(url ?? '')?.[0];
}
