package io.tensornio.internal.memory;

/** Tells whether a class overrides a method: by reflection, so to be asked once for an object. */
public final class Overrides {
    private Overrides() {
    }

    /**
     * Whether a class, or one between it and a base, declares a method.
     *
     * @param derived the class
     * @param base a superclass of it
     * @param method the method's name
     * @param parameters the types of its parameters
     * @return true if it is not the base's
     */
    public static boolean overrides(Class<?> derived, Class<?> base, String method, Class<?>... parameters) {
        for (Class<?> c = derived; c != base; c = c.getSuperclass()) {
            try {
                c.getDeclaredMethod(method, parameters);
                return true;
            } catch (NoSuchMethodException e) {
                continue;           // perhaps its superclass has it
            }
        }
        return false;
    }
}
