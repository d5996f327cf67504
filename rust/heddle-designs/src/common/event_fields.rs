/// Declares the places of a model's events: a struct with one [`heddle_port::EventField`] for each event, by
/// its name in the manifest, and `new`, which looks them up. With `of Values`, also a struct of the values of
/// one cycle, and `put`, which writes them to their places.
macro_rules! event_fields {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($event:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy)]
        $vis struct $name { $($vis $event: heddle_port::EventField),* }

        impl $name {
            /// Looks all of them up.
            ///
            /// # Errors
            /// [`heddle_port::DesignError::Instance`]: the manifest of `design` lacks one.
            $vis fn new(
                design: &'static str,
                events: &heddle_port::EventLayout,
            ) -> Result<Self, heddle_port::DesignError> {
                Ok(Self { $($event: events.require(design, stringify!($event))?),* })
            }
        }
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident of $values:ident {
        $($(#[$doc:meta])* $event:ident),* $(,)?
    }) => {
        $crate::common::event_fields! { $(#[$meta])* $vis struct $name { $($event),* } }

        /// Events of one cycle.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct $values { $($(#[$doc])* pub $event: u64),* }

        impl $name {
            /// Writes the values of a cycle to their places.
            #[inline]
            $vis fn put(&self, values: &$values, events: &mut heddle_port::Events) {
                $(self.$event.set(events, values.$event);)*
            }
        }
    };
}
pub(crate) use event_fields;
