/** SQL for `isGatewayActive` of the domain, about the gateway `g` of the statement, by the database's clock. */
export const IS_GATEWAY_ACTIVE =
  "(g.enabled AND (g.contract_end IS NULL OR (now() AT TIME ZONE 'Europe/Paris')::date <= g.contract_end))";
