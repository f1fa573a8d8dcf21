<!doctype html>
<html <?php language_attributes(); ?>>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><?php wp_head(); ?></head>
<body <?php body_class(); ?>><?php wp_body_open(); ?><header><p><a href="<?php echo esc_url(home_url('/')); ?>"><?php bloginfo('name'); ?></a></p></header>
