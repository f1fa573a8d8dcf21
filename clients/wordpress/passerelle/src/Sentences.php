<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

use Passerelle\AskOperator;
use Passerelle\Expired;
use Passerelle\Failure;
use Passerelle\RetryLater;

/** Translates messages of the gateway, which are English, into the reader's language. */
final class Sentences
{
    /**
     * Used instead of an HTTP status: the plugin caused the failure, and its message is already in the reader's
     * language.
     */
    public const TOLD = -1;

    /** Explains why a call or a slice failed. The plugin's own messages are already in the reader's language. */
    public static function failure(\Throwable $failure): string
    {
        $status = $failure->getCode();
        if (!$failure instanceof Failure || $status === self::TOLD) {
            return $failure->getMessage();
        }
        if ($failure instanceof AskOperator) {
            $asks = [
                0 => __('The address must begin with https://, or others on the network could read the key.', 'passerelle'),
                401 => __('The gateway does not know this CRM and client, or the key is wrong.', 'passerelle'),
                403 => __('The gateway is disabled.', 'passerelle'),
            ];
            /* translators: %s: a number of HTTP */
            return $asks[$status] ?? sprintf(__('The address leads elsewhere (HTTP %s).', 'passerelle'), $status);
        }
        if ($failure instanceof Expired) {
            return __('The gateway no longer keeps the list that was being read: the import starts again.', 'passerelle');
        }
        if ($failure instanceof RetryLater) {
            $waits = [
                0 => __('The gateway did not answer, or its answer was incomplete.', 'passerelle'),
                200 => __('The gateway did not answer, or its answer was incomplete.', 'passerelle'),
                404 => __('There is no Passerelle API at this address.', 'passerelle'),
                429 => __('The gateway asks for a pause between requests.', 'passerelle'),
            ];
            /* translators: %s: a number of HTTP */
            return $waits[$status] ?? sprintf(__('The gateway cannot answer at the moment (HTTP %s).', 'passerelle'), $status);
        }
        /* translators: %s: a number of HTTP */
        return $status === 404 ? __('The gateway does not know it.', 'passerelle') : sprintf(__('The gateway refuses the request (HTTP %s).', 'passerelle'), $status);
    }

    /** Explains why a feed is not fresh. @param array|null $reason as returned by `/v1/feed` */
    public static function reason(?array $reason): string
    {
        $operator = __('The operator of the gateway must check it.', 'passerelle');
        $again = __('It is retried automatically.', 'passerelle');
        $words = [
            'not_imported' => __('The listings have not been imported yet.', 'passerelle'),
            'not_confirmed' => __('The source has not confirmed the list for a while; the last complete one is served.', 'passerelle'),
            'empty' => __('The source sent an empty list.', 'passerelle') . " $operator",
            'incomplete' => __('The source sent an incomplete list.', 'passerelle') . " $operator",
            'nothing_usable' => __('None of the records that the source sent can be used.', 'passerelle') . " $operator",
            'vanished' => __('Unusually many listings are missing from what the source sent.', 'passerelle') . " $operator",
            'mapping_changed' => __('Sold, let or withdrawn listings that were shown until now are recognised since an update.', 'passerelle') . " $operator",
            'replaced' => __('Unusually many listings of the source have other identifiers than before.', 'passerelle') . " $operator",
            'foreign' => __('The source sent listings of other agencies than before.', 'passerelle') . " $operator",
            'fill_drop' => __('The feed lacks fields that it had before.', 'passerelle') . " $operator",
            'unknown_element' => __('The source sent records of a kind that is not known.', 'passerelle') . " $operator",
            'garbled' => __('Texts of the source are garbled.', 'passerelle') . " $operator",
            'reverted' => __('An operator went back to an earlier list, and the source still sends the newer one.', 'passerelle') . " $operator",
            'retry' => __('The source did not answer, or asked for a pause.', 'passerelle') . " $again",
            'give-up' => __('The source answered with something that is not a complete list.', 'passerelle') . " $again",
            'fix-access' => __('The source refuses access, or its settings cannot work: the operator of the gateway must change them.', 'passerelle'),
            'deadline' => __('Reading the source took too long.', 'passerelle') . " $again",
        ];
        return $reason === null ? '' : $words[$reason['code'] ?? ''] ?? __('The last import failed.', 'passerelle') . " $again";
    }

    /** Where a listing is, or why it is missing. @param array $history as returned by `/v1/properties/{id}/history` */
    public static function history(array $history): string
    {
        $words = [
            /* translators: 1: a place in the list, 2: how many listings it has */
            'listed' => sprintf(__('It is number %1$s of the %2$s that are served.', 'passerelle'), Numbers::format((float) ($history['position'] ?? 0)), Numbers::format((float) ($history['total'] ?? 0))),
            'held' => __('The last import has it, and waits for an approval.', 'passerelle'),
            'rejected' => self::rejection($history['rejection'] ?? []),
            'withdrawn' => __('Your software says that it is withdrawn.', 'passerelle'),
            'removed' => __('Your software no longer sends it.', 'passerelle'),
            'unknown' => __('No import on record has seen it.', 'passerelle'),
        ];
        return $words[$history['state'] ?? ''] ?? '';
    }

    private static function rejection(array $rejection): string
    {
        $field = $rejection['field'] ?? '';
        $words = [
            'malformed' => __('Its record cannot be read.', 'passerelle'), 'missing_id' => __('Its record has no identifier.', 'passerelle'),
            /* translators: %s: name of a field */
            'missing_field' => sprintf(__('Its record lacks the field %s.', 'passerelle'), $field),
            /* translators: %s: name of a field */
            'invalid_value' => sprintf(__('The field %s of its record has an invalid value.', 'passerelle'), $field),
            'too_large' => __('Its record is too large.', 'passerelle'),
            'too_slow' => __('Its record takes too long to process.', 'passerelle'),
        ];
        return $words[$rejection['code'] ?? ''] ?? __('Its record cannot be used.', 'passerelle');
    }
}
