/* The plugin's blocks in the editor: the settings in the sidebar, and the preview of the page in the middle. */
(function (blocks, element, editor, components, ServerSideRender) {
  'use strict';
  const el = element.createElement;
  for (const { name, title, attributes } of window.passerelleBlocks.blocks) {
    blocks.registerBlockType(name, {
      title,
      category: 'widgets',
      icon: 'admin-home',
      attributes: Object.fromEntries(Object.keys(attributes).map((key) => [key, { type: 'string', default: '' }])),
      edit({ attributes: values, setAttributes }) {
        const fields = Object.entries(attributes).map(([key, label]) =>
          el(components.TextControl, {
            key,
            label,
            value: values[key],
            onChange: (value) => setAttributes({ [key]: value }),
          }),
        );
        return el(
          'div',
          editor.useBlockProps(),
          el(editor.InspectorControls, null, el(components.PanelBody, { title }, fields)),
          el(components.Disabled, null, el(ServerSideRender, { block: name, attributes: values })),
        );
      },
      save: () => null,
    });
  }
})(window.wp.blocks, window.wp.element, window.wp.blockEditor, window.wp.components, window.wp.serverSideRender);
