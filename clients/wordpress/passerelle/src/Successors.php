<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Finds the listing that replaces a removed one: the same property under another identifier. */
final class Successors
{
    /** More listings than this are no property that was listed again. */
    private const MOST_CHANGES = 20000;
    /** A property may be listed again several times. */
    private const MOST_STEPS = 10;

    /**
     * Notes which listings of a new list replace removed ones. @param string $since the last complete list of the site
     * @throws Failure
     */
    public static function note(\Passerelle\Client $api, string $gateway, string $since, string $snapshot): void
    {
        global $wpdb;
        if ($since === $snapshot || Table::count($gateway) === Table::countLive($gateway)) {
            return;
        }
        try {
            $changes = $api->changes($since, $snapshot, self::MOST_CHANGES)['changes'] ?? [];
        } catch (\Passerelle\Expired $tooOld) {
            return;
        }
        foreach ($changes as $change) {
            if (($change['replaces'] ?? '') !== '') {
                $wpdb->query($wpdb->prepare(
                    'UPDATE ' . Table::name() . ' SET replaced_by = %s WHERE gateway = %s AND aff_id = %s AND gone_at IS NOT NULL',
                    Table::keyOf($change['affId']),
                    $gateway,
                    Table::keyOf($change['replaces'])
                ));
            }
        }
    }

    /** Before a listing is forgotten: what it replaced is then replaced by its own successor. */
    public static function passOn(string $gateway, string $key): void
    {
        global $wpdb;
        $next = Table::find($gateway, $key)['replaced_by'] ?? '';
        foreach ([Table::name(), Table::buried()] as $table) {
            $wpdb->query($wpdb->prepare("UPDATE $table SET replaced_by = %s WHERE gateway = %s AND replaced_by = %s", $next, $gateway, $key));
        }
    }

    /**
     * The address of the listing that replaces a removed one. Empty if there is none on the site.
     * @param string $key the removed listing, or a listing that replaced it
     * @param int $postId the page of the removed listing; its language decides which page is found
     */
    public static function address(string $gateway, string $key, int $postId): string
    {
        for ($step = 0; $step < self::MOST_STEPS && $key !== ''; $step += 1) {
            $row = Table::find($gateway, $key);
            if ($row === null) {
                return '';
            }
            if ($row['gone_at'] === null) {
                $page = Languages::counterpart($postId, (int) $row['post_id']);
                return get_post_status($page) === 'publish' ? (string) get_permalink($page) : '';
            }
            $key = $row['replaced_by'];
        }
        return '';
    }
}
